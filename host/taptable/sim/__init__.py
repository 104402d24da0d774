"""The table without hardware: stand-ins below the real drivers."""
