# What is used of scikit-learn, which has no stubs.
