import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';

/** A fault of one field, or of the whole request. */
export interface RouteFault {
  /** The field's name, without the place within it. */
  field?: string;
  message: string;
}

/** A route refused what a command asked for. */
export class RouteRefusal extends Error {
  readonly status: number;
  readonly faults: readonly RouteFault[];

  constructor(status: number, answer: JsonObject) {
    const error = isJsonObject(answer['error']) ? answer['error'] : {};
    super(String(error['message']));
    this.name = 'RouteRefusal';
    this.status = status;
    const { errors } = error;
    this.faults = (Array.isArray(errors) ? errors : [error]).flatMap((each) =>
      isJsonObject(each) ? [faultOf(each)] : [],
    );
  }
}

function faultOf({ param, message = '' }: Readonly<Record<string, Json | undefined>>): RouteFault {
  const about = { message: String(message) };
  return typeof param === 'string' ? { ...about, field: param } : about;
}
