/** The facts that a container of audio or video states. With neither `video` nor `audio` it holds nothing that can be played. */
export interface ProbedMedia {
  seconds: number;
  /** Pixels as shown: turned, and stretched to square ones. */
  video?: { width: number; height: number };
  audio?: object;
}
