import type { Fault } from '@mediagate/contracts';
import type { Endpoint } from './contract';

/** Neither the channel's model nor its option `generation` names one: the operator's to mend, whatever the request. */
export function unknownGeneration({ model }: Endpoint, product: string, names: readonly string[]): Fault {
  return {
    code: 'operator',
    detail: `not sent: "${model}" names no generation of ${product} (${names.join(', ')}), and the option "generation" is not set`,
  };
}
