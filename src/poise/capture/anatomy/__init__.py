"""One anatomy of a skeleton: names and geometry in; limbs, feet, front, masses and the roles of joints out."""
