// `npm run reference`: brings the tables of docs/api.md and docs/operators.md up to date. `npm run reference -- types.ts` also writes the types of the API.
import { writeFileSync } from 'node:fs';
import { askModule } from './shipped-document';
import { REFERENCES, writtenPage } from './written-reference';

for (const page of REFERENCES) writeFileSync(page, writtenPage(page));
const [, , types] = process.argv;
if (types !== undefined) writeFileSync(types, askModule('types.mjs'));
