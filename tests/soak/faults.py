"""Every kind of fault, each caused at the seam where it occurs."""

from soak import faults_of_host, faults_of_parts, faults_of_people, faults_of_plugs, faults_of_tags
from soak.kinds import KINDS

__all__ = ["KINDS", "faults_of_host", "faults_of_parts", "faults_of_people", "faults_of_plugs", "faults_of_tags"]
