"""Control of rotational dynamics for ground behaviours ([Rolling]): cycles, springs, the feature program, its search."""
