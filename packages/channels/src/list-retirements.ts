import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import { daysLeft, lifeStage, type Retirement, readServedModel } from '@mediagate/settings';

/** A model of a channel whose vendor has announced its end. */
export interface ListedRetirement extends Retirement {
  model: string;
  /** The vendor's name of it. */
  vendorModel: string;
  daysLeft: number;
  stage: ReturnType<typeof lifeStage>;
}

/** @param source a channel as the file has it */
export function listRetirements({ models }: JsonObject, nowMs: number = Date.now()): ListedRetirement[] {
  return Object.entries(isJsonObject(models) ? models : {}).flatMap(([model, value]): ListedRetirement[] => {
    const { name, retirement } = readServedModel(value as Json);
    if (retirement === undefined) return [];
    const left = daysLeft(retirement, nowMs);
    return [{ model, vendorModel: name, ...retirement, daysLeft: left, stage: lifeStage(left) }];
  });
}

/** As operators see it. */
export function describeRetirement(retirement: ListedRetirement) {
  const { model, vendorModel, servedUntil, replacedBy, daysLeft: left, stage } = retirement;
  return {
    model,
    upstream_model: vendorModel,
    served_until: servedUntil,
    replaced_by: replacedBy ?? null,
    days_left: left,
    stage,
  };
}
