import { message } from '@mediagate/contracts';
import type { Lack } from '../contract';
import { lack } from '../lacks';

/** A request asks for something that chat completions have no word for, as found while it is turned into one. */
export class UncarriedError extends Error {
  readonly lack: Lack;

  constructor(name: string) {
    super(name);
    this.lack = lack(message('takes_no_such_field', { name }));
  }
}
