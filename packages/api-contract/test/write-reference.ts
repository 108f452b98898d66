// `npm run reference`: brings the tables of docs/api.md and docs/operators.md and the types of packages/client up to date.
// `npm run reference -- types.ts` also writes the types of the whole API.
import { writeFileSync } from 'node:fs';
import { CLIENT_TYPES, clientTypes } from './client-types';
import { askModule } from './shipped-document';
import { REFERENCES, writtenPage } from './written-reference';

for (const page of REFERENCES) writeFileSync(page, writtenPage(page));
writeFileSync(CLIENT_TYPES, clientTypes());
const [, , types] = process.argv;
if (types !== undefined) writeFileSync(types, askModule('types.mjs'));
