import type { JsonObject } from '@mediagate/contracts';
import { secretFileOf, storedSecretOf, storedSecretProblem } from './references';
import type { FieldFault } from './settings-error';

const NO_REFERENCE = 'must not refer to anything: references are understood in the configuration file alone';
const OTHER_KEY = `must name a secret of the database, as \${secret:its-name}, or the variable that the configuration file names here`;

/**
 * Finds references that fields set by operators must not hold. Whoever may set a field by the API must not read with it what a process
 * holds: so they name secrets of the database alone, and a variable only where the file names the same one.
 */
export function setReferenceFaults(set: JsonObject, written: JsonObject = {}): FieldFault[] {
  return Object.entries(set).flatMap(([field, value]) => {
    if (!JSON.stringify(value).includes('${')) return [];
    if (field !== 'api_key') return [{ field, message: NO_REFERENCE }];
    const isOfFile = value === written['api_key'] && secretFileOf(value) === undefined;
    const secret = storedSecretOf(value);
    const message = secret === undefined ? OTHER_KEY : storedSecretProblem(secret);
    return isOfFile || message === undefined ? [] : [{ field, message }];
  });
}
