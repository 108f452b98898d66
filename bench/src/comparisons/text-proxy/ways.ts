import type { Slice } from '../../measure/slice';
import type { Request } from '../../product/fast-paths';

/** The other end of a text: who is called, and what. */
export interface Way {
  pid: number;
  request: Request;
}

export type WayName = 'product' | 'portkey' | 'direct';
export type Ways = Record<WayName, Way>;
export type Measured = Record<WayName, Slice[]>;
