import type { JsonObject } from '../json';

/** A job of a model that the configuration describes: the caller's body itself, which a channel's template takes to the vendor. */
export interface DescribedRequest {
  body: JsonObject;
}
