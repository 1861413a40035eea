"""The stage: a running scene in a browser, to be pushed, pulled, walked and rewound.

``act``: a session with its past · ``messages``: what a page may ask for · ``frame``: what it is sent · ``pacer``: the
thread that keeps time · ``server``, ``guard``: page and socket, and who may use them · ``bring``, ``away``: files in
and out · ``measure``: how fast it answers. No physics is done here: all of it is asked of ``poise.Session``.
"""
