import { metadataFaults } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import { METADATA_PREFIX } from '../../use-cases/usage-report';
import type { Query } from './query';

/** The metadata that the parameters `metadata.<name>` ask for; null: there are none. */
export function readMetadataFilter(query: Query): JsonObject | null {
  const entries = query.under(METADATA_PREFIX);
  for (const [name, value] of entries) {
    const param = `${METADATA_PREFIX}${name}`;
    if (`${name}${value}`.includes('\0')) query.refuse(param, 'must_have_no_nul');
    const failures = metadataFaults({ [name]: value }).flatMap((fault) => fault.failures);
    query.add(...failures.map((failure) => ({ ...failure, param })));
  }
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
