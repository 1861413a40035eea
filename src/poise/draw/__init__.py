"""Pictures: frames of a take, plots and maps."""
