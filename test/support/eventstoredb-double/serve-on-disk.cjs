// Acknowledges an append once a disk has it, as a server does.
require('../../../scripts/run-typescript.cjs');
void require('./serve').serve({ onDisk: true });
