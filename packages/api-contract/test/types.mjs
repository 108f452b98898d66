// `node types.mjs < openapi.json`: the types of the document's operations and schemas, in TypeScript. The generator is an ES module.
import { json } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';

// Parameters of a query have defaults, and may be left out.
const types = await openapiTS(await json(process.stdin), { defaultNonNullable: false });
process.stdout.write(astToString(types));
