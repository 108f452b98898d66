// Brings deploy/config/mediagate.schema.json up to date with the protocols, the catalogue and the shape of the channels file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorSchema } from '../src';

const FILE = join(__dirname, '../../../deploy/config/mediagate.schema.json');

writeFileSync(FILE, `${JSON.stringify(editorSchema(), null, 2)}\n`);
