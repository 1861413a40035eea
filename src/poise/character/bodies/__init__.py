"""The bodies that ship, one file each."""
