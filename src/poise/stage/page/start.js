// A running simulation.
Live.prototype.gestures = function () {
  this.touch = new Touch(this, $("overlay"));
  Page.prototype.gestures.call(this);
};
LAYERS.splice(-2, 0, ["ghost", "Other life", "a", true]);
window.poise = new Live(read());
