import type { FaultCode, JsonObject } from '@mediagate/contracts';
import type { Endpoint } from '../contract';

/** A channel's `http_job`: how its vendor is spoken to. `docs/http-job.md` describes it for operators. */
export interface Description {
  auth?: 'bearer' | 'basic' | 'none' | { header: string; prefix?: string } | { query: string } | Signing;
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>;
  start?: StartWords;
  /** Absent: the answer to a start holds the result. */
  status?: StatusWords;
  result?: ResultWords;
  errors?: ErrorWords;
  cancel?: CancelWords;
  probe?: { path: string; asks?: 'nothing' };
  /** A pointer to the vendor's charge, in credits of its own. */
  cost?: string;
  /** The header of an answer that has the vendor's id of the exchange. */
  request_id_header?: string;
}

/** Ways to sign each call with the key. */
export type Signing = { aws4: Aws4Words } | { hmac: HmacWords };

/** By AWS Signature Version 4. */
export interface Aws4Words {
  region: string;
  service: string;
}

export interface HmacWords {
  /** The text that is signed, with the words of a call in braces. */
  sign: string;
  /** Default: `sha256`. */
  algorithm?: 'sha256' | 'sha512';
  /** Default: `hex`. */
  encoding?: 'hex' | 'base64';
  /** Texts with words in braces, too, by the names of the headers that go along. */
  headers: Readonly<Record<string, string>>;
}

interface StartWords {
  /** Default: `/{endpoint}`. */
  path?: string;
  /** A pointer to the job's id; absent: the answer holds the result. */
  id?: string;
  reference?: Spot;
  callback?: Spot;
}

/** Where the gateway says something of its own in a start. */
export type Spot = { at: string } | { header: string } | { query: string };

export const STATES = ['submitted', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type State = (typeof STATES)[number];

interface StatusWords {
  path: string;
  at: string;
  words: Readonly<Record<string, State>>;
  /** A share of `of`, which is 100 by default. */
  progress?: { at: string; of?: number };
}

interface ResultWords {
  /** Absent: the answer that says `succeeded` holds the result. */
  path?: string;
  /** Pointers into the answer about the job, by the names that `path` has in braces. */
  from?: Readonly<Record<string, string>>;
  files?: FileWords;
}

/** How an answer gives its files: links for everybody, links for the key alone, base64, or the answer is the file. */
export const FILE_WORDS = ['links', 'keyed_links', 'base64', 'body'] as const;
export type FileWords = (typeof FILE_WORDS)[number];

/** A pointer, or several, of which the first that has a value counts. */
export type Places = string | readonly string[];

export interface ErrorWords {
  code?: Places;
  message?: Places;
  /** The vendor's name of the field at fault. */
  field?: Places;
  /** Codes of an answer that has succeeded; absent: no answer with a 2xx holds an error. */
  none?: readonly string[];
  /** Callers' names of fields by the vendor's. */
  fields?: Readonly<Record<string, string>>;
  rules?: readonly RuleWords[];
}

/** All that is given must match. */
export interface RuleWords {
  status?: number;
  /** Each a code, or the beginning of one with `*` behind it. */
  code?: readonly string[];
  /** Each is a part of the message, in small or large letters. */
  message?: readonly string[];
  fault: FaultCode;
  only?: 'start' | 'status';
  of?: 'model';
}

interface CancelWords {
  path: string;
  method?: 'POST' | 'PUT' | 'DELETE';
  /** States in which the vendor stops a job and charges nothing. Default: `submitted`. */
  while?: readonly ('submitted' | 'running')[];
}

/** Judged when the configuration was read. */
export function descriptionOf({ options }: Pick<Endpoint, 'options'>): Description {
  return (options['http_job'] ?? {}) as JsonObject as Description;
}
