import { readFileSync } from 'node:fs';
import { CLIENT_TYPES, clientTypesHeading } from './client-types';

it('the types of packages/client are current (else: npm run reference)', () => {
  const [heading] = readFileSync(CLIENT_TYPES, 'utf8').split('\n', 1);
  expect(heading).toBe(clientTypesHeading());
});
