int bystander(int unused) { return 1; }
