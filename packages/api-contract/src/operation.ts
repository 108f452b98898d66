import type { Family, Json, JsonObject, KeyScope, OperatorRole } from '@mediagate/contracts';

/** How a family of routes words its errors. */
export type ErrorShape = 'standard' | 'imgtool' | 'legacy' | 'native' | 'openai';

/** Submissions and uploads count apart from reads, so that polling never blocks work: a key has a limit of each. */
export type Bucket = 'submit' | 'query';

/** Statuses of refusals that only some operations have; what each route can answer anyway is added to them. */
export type Refusal = 401 | 402 | 403 | 404 | 409 | 410 | 413 | 416 | 422 | 502 | 504;

export type JsonSchema = JsonObject;

/** A query parameter or header. Path parameters are described where the document is made, by their names. */
export interface Parameter {
  in: 'query' | 'header';
  name: string;
  description: string;
  schema: JsonSchema;
}

export interface Content {
  schema: JsonSchema;
  example?: Json;
}

/** A body whose fields belong to the route, by content type. */
export interface OwnBody {
  /** A request without a body is one without fields. */
  optional?: boolean;
  content: Readonly<Record<string, Content>>;
}

/** A body that belongs to a model: its fields are those that the catalogue's models of the operation have. */
export interface ModelBody {
  /** An operation of the catalogue, for example `images.generations`. */
  models: string;
  /** Fields of the models that mean nothing on this route, or are refused. */
  withoutFields?: readonly string[];
  /** Fields of the route beside the models'; one of a model's name takes its place. */
  withFields?: Readonly<Record<string, JsonSchema>>;
  /** Tells the bodies of this route from those of others with the same models. */
  variant?: string;
  /** The same fields may come as a form, with these files. */
  formFiles?: Readonly<Record<string, JsonSchema>>;
}

export type RequestBody = OwnBody | ModelBody;

export interface Answer {
  description: string;
  /** By content type; absent: there is no body. */
  content?: Readonly<Record<string, Content>>;
  /** Names of headers, described in `schemas/headers.ts`, that every such answer has beside those of all answers. */
  headers?: readonly string[];
}

interface Description {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** As OpenAPI writes it: `/v1/tasks/{id}`. A last word may end in a verb: `/v1beta/models/{model}:countTokens`. */
  path: string;
  /** The paths are those that the catalogue's operations of this family declare; `path` is what they have in common. */
  routesOf?: Family;
  tag: string;
  summary: string;
  description?: string;
  /** Absent: the standard one. */
  errors?: ErrorShape;
  /** Dialects in which it also answers, because it does the work of other routes. */
  otherErrors?: readonly ErrorShape[];
  /** Pages of any origin may read the answer. */
  cors?: boolean;
  parameters?: readonly Parameter[];
  body?: RequestBody;
  /** Answers to a request that succeeds, by status. */
  answers: Readonly<Record<number, Answer>>;
  refusals?: readonly Refusal[];
}

/** Asks for an API key and counts against its limits. */
export interface KeyOperation extends Description {
  auth: 'key';
  bucket: Bucket;
  /** The key must be allowed to use this family. */
  family?: Family;
  /**
   * The least scope of a key that may ask. `own`: every key may; one of the scope `own` finds and changes only what it, or a key that it
   * made, has made. `account`: what the route shows cannot be split by keys.
   */
  scope: KeyScope;
  /** The key must have the right `manage`, too. */
  manages?: true;
  /** Another header in which clients of this route may send their key. */
  keyHeader?: string;
}

export interface OpenOperation extends Description {
  auth: 'none';
  /** Requests that come from one address have a limit. */
  perAddress?: boolean;
}

/** Asks for an operator's token. */
export interface OperatorOperation extends Description {
  auth: 'operator';
  /** The least role that may. */
  role: OperatorRole;
}

/** One entry of the table: everything about a route but its work. */
export type Operation = KeyOperation | OpenOperation | OperatorOperation;
