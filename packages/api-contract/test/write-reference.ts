// `npm run reference`: brings the tables of docs/api.md up to date. `npm run reference -- types.ts` also writes the types of the API.
import { writeFileSync } from 'node:fs';
import { askModule } from './shipped-document';
import { REFERENCE, writtenReference } from './written-reference';

writeFileSync(REFERENCE, writtenReference());
const [, , types] = process.argv;
if (types !== undefined) writeFileSync(types, askModule('types.mjs'));
