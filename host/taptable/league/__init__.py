"""Many tables: what they played is kept, checked and shown as seasons, standings and records."""
