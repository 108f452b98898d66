import type { JsonObject, Usage } from '@mediagate/contracts';

/** The usage that the caller pays for: the vendor's figures as far as the stored outputs account for them, and their own measures. */
export function billedUsage(usage: Usage, measured: Usage, outputs: { kept: number; made: number }): Usage {
  return { ...shareOf(usage, outputs.kept, outputs.made), ...measured, ...believedSeconds(usage, measured) };
}

/** The record's `usage`, where the upstream counts in tokens. */
export function usageRecord(usage: Usage): { usage?: JsonObject } {
  const { inputTokens, outputTokens, totalTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return {};
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  return {
    usage: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: totalTokens ?? input + output,
      ...inputDetails(usage),
    },
  };
}

/** Only OpenAI's clients are shown it. */
function inputDetails({ inputTextTokens: text, inputImageTokens: image }: Usage): JsonObject {
  if (text === undefined && image === undefined) return {};
  return { input_tokens_details: { text_tokens: text ?? 0, image_tokens: image ?? 0 } };
}

/** How far the vendor's count may differ from the measured length. */
const SECONDS_TOLERANCE = 1;

/** The vendor's length is used, because the vendor charges by it, unless it contradicts the length of the videos themselves. */
function believedSeconds(
  { seconds: reported }: Usage,
  { seconds: measured }: { seconds?: number },
): { seconds?: number } {
  const isBelieved =
    reported !== undefined && (measured === undefined || Math.abs(reported - measured) <= SECONDS_TOLERANCE);
  return isBelieved ? { seconds: reported } : {};
}

/** The part of the usage that the stored outputs account for: the caller does not pay for an output that was lost. */
function shareOf(usage: Usage, kept: number, made: number): Usage {
  const { outputTokens, totalTokens } = usage;
  if (outputTokens === undefined || kept >= made) return usage;
  const share = Math.ceil((outputTokens * kept) / made);
  return {
    ...usage,
    outputTokens: share,
    ...(totalTokens === undefined ? {} : { totalTokens: totalTokens - outputTokens + share }),
  };
}
