"""Kernels of the fleet: releases of hosts from cases and inventories, and the problems that affect them."""
