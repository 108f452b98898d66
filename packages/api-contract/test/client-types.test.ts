import { readFileSync } from 'node:fs';
import { GENERATED_TYPES, typesHeading } from './client-types';

it.each(GENERATED_TYPES)('the types in $file are current (else: npm run reference)', ({ file, document }) => {
  const [heading] = readFileSync(file, 'utf8').split('\n', 1);
  expect(heading).toBe(typesHeading(document()));
});
