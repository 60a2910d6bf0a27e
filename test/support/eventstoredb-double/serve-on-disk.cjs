// Acknowledges an append once a disk has it, as a server does.
require('../swc-register.cjs');
void require('./serve.ts').serve({ onDisk: true });
