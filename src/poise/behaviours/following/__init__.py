"""Following: a clip that steps, turns and kicks, in physics, pushed and back."""
