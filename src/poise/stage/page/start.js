// A running simulation.
Live.prototype.gestures = function () {
  this.touch = new Touch(this, $("overlay"));
  Page.prototype.gestures.call(this);
};
window.poise = new Live(read());
