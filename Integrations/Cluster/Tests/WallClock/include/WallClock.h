#pragma once

/// Sets the wall clock of this process back. Of this process only: the program that contains this file takes the place
/// of the functions of the C library, for the libraries that it loads too.
void wall_clock_set_back(long seconds);
