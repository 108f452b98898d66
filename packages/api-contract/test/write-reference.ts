// `npm run reference`: brings the tables of docs/api.md and docs/operators.md and the types of packages/client and of the console's page up to date.
// `npm run reference -- types.ts` also writes the types of the whole API.
import { writeFileSync } from 'node:fs';
import { GENERATED_TYPES, generatedTypes } from './client-types';
import { askModule } from './shipped-document';
import { REFERENCES, writtenPage } from './written-reference';

for (const page of REFERENCES) writeFileSync(page, writtenPage(page));
for (const types of GENERATED_TYPES) writeFileSync(types.file, generatedTypes(types));
const [, , types] = process.argv;
if (types !== undefined) writeFileSync(types, askModule('types.mjs'));
