"""Small kernels, one for each construct of C++ in each context, beside what g++ makes of them."""
