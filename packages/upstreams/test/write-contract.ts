// Brings tools/cli/skeleton/mediagate.d.ts up to date: the contract of adapters as one file that imports nothing of this repository.
import { writeFileSync } from 'node:fs';
import { CONTRACT_FILE, contractTypes } from './contract-types';

writeFileSync(CONTRACT_FILE, contractTypes());
