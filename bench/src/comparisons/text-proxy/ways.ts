import type { Slice } from '../../measure/slice';
import type { Request } from '../../product/fast-paths';

/** The other end of a text: who is called, and what. LiteLLM is there where Python can bring it. */
export interface Way {
  pid: number;
  request: Request;
}

export type Ways = Record<'product' | 'portkey' | 'direct', Way> & { litellm?: Way };
export type WayName = keyof Ways;
export type Measured = Partial<Record<WayName, Slice[]>>;
