import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '@mediagate/contracts';
import { clientDocument, pageDocument } from './client-document';
import { askModule } from './shipped-document';

const ROOT = join(__dirname, '../../..');

interface GeneratedTypes {
  file: string;
  document(): JsonObject;
}

/** The generated types of packages/client, and of the console's page. */
export const GENERATED_TYPES: readonly GeneratedTypes[] = [
  { file: join(ROOT, 'packages/client/src/generated/api.ts'), document: clientDocument },
  { file: join(ROOT, 'services/console/web/src/api/generated/api.ts'), document: pageDocument },
];

export function generatedTypes({ document }: GeneratedTypes): string {
  return `${typesHeading(document())}\n${askModule('types.mjs', document())}`;
}

/** First line of the types: it is another whenever they have to be. */
export function typesHeading(document: JsonObject): string {
  const digest = createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 16);
  return `// Made by \`npm run reference\` of the API's description ${digest}.`;
}
