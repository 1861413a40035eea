// Time: playing, pausing, seeking, speed. Calls `changed` whenever the picture must be drawn again.
class Player {
  constructor(take, changed) {
    this.take = take;
    this.changed = changed;
    this.time = 0;
    this.playing = false;
    this.speed = 1;
    this.loop = true;
  }

  get frame() {
    return this.time * this.take.hz;
  }

  seek(t) {
    this.time = Math.min(Math.max(t, 0), this.take.seconds);
    this.changed();
  }

  // Whole frames on or back.
  step(frames) {
    this.pause();
    this.seek((Math.round(this.frame) + frames) / this.take.hz);
  }

  toggle() {
    this.playing ? this.pause() : this.play();
  }

  play() {
    if (this.playing || !this.take.seconds) return;
    if (this.time >= this.take.seconds) this.time = 0;
    this.playing = true;
    this.last = null;
    requestAnimationFrame((now) => this.tick(now));
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  tick(now) {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    let t = this.time + passed * this.speed;
    if (t >= this.take.seconds) {
      if (this.loop) t %= this.take.seconds;
      else [t, this.playing] = [this.take.seconds, false];
    }
    this.seek(t);
    requestAnimationFrame((later) => this.tick(later));
  }
}
