// A stored take: everything is on the page.
window.poise = new Page(read());
