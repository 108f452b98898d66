import type { Interruption } from './json-body';

/** No status line. With `sent` false the vendor cannot have seen the request; else it may be working on it. */
export interface Lost {
  kind: 'lost';
  sent: boolean;
  /** `busy`: no connection was free, and too many waited for one, or it waited too long. */
  why: Interruption | 'connect_timeout' | 'network' | 'busy';
  /** The system's error code, as `ECONNREFUSED`; never an address, a header or a body. */
  code?: string;
}
