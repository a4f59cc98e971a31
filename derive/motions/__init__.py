"""Elementary motions between two frames, out of which joints are made; one file each."""
