// Keeps its log in memory, and acknowledges without a disk.
require('../swc-register.cjs');
void require('./serve.ts').serve();
