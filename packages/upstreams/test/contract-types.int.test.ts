import { readFileSync } from 'node:fs';
import { CONTRACT_FILE, contractTypes } from './contract-types';

it('the types that packages are written by are those of the contract: `npm run reference` writes them', () => {
  expect(readFileSync(CONTRACT_FILE, 'utf8')).toBe(contractTypes());
});
