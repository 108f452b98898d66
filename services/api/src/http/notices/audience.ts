import type { Callbacks } from '@mediagate/callbacks';
import type { NoticeKind } from '@mediagate/contracts';
import type { ChangeRequest, Database } from '@mediagate/database';
import type { Exchange } from '../exchange';
import type { BodyFields } from '../fields/body-fields';

/** The receivers of notices: the routes of holders and of operators differ by this alone. */
export interface Audience<Asked extends Exchange> {
  kinds: readonly NoticeKind[];
  /** The owner of the notices, targets and settings. */
  ownerOf(call: Asked): string;
  /** Begins to read a change; `end` refuses what is wrong with its body. */
  read(call: Asked): Promise<{ fields: BodyFields; end(): ChangeRequest }>;
  /** Reads a change that has no fields of its own. */
  readBare(call: Asked): Promise<ChangeRequest>;
}

/** The domains that routes of notices work with. */
interface NoticeDomains {
  database: Database;
  /** Addresses that holders name must keep to the rules of callbacks. */
  callbacks: Pick<Callbacks, 'rules'>;
}

export type NoticeHandler<Asked extends Exchange> = (call: Asked, domains: NoticeDomains) => Promise<void>;
