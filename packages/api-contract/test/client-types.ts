import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { clientDocument } from './client-document';
import { askModule } from './shipped-document';

export const CLIENT_TYPES = join(__dirname, '../../client/src/generated/api.ts');

/** The generated types of packages/client. */
export function clientTypes(): string {
  return `${clientTypesHeading()}\n${askModule('types.mjs', clientDocument())}`;
}

/** First line of the types: it is another whenever they have to be. */
export function clientTypesHeading(): string {
  const digest = createHash('sha256').update(JSON.stringify(clientDocument())).digest('hex').slice(0, 16);
  return `// Made by \`npm run reference\` of the API's description ${digest}.`;
}
