/**
 * One music job in terms no vendor owns. Weights are from 0 to 1, times in seconds. Fields that only one mode reads are absent in
 * the other.
 */
export interface MusicRequest {
  operation:
    | 'create'
    | 'extend'
    | 'cover'
    | 'upload'
    | 'replace'
    | 'crop'
    | 'remove'
    | 'fade'
    | 'adjust_speed'
    | 'stems'
    | 'remaster'
    | 'sample'
    | 'sounds'
    | 'lyrics'
    | 'concat'
    | 'midi'
    | 'bpm'
    | 'aligned_lyrics';
  version?: 'v5' | 'v5.5';
  /** The track that the job works on. */
  source?: MusicSource;
  /** The caller's own sound, for `upload`. */
  audioUrl?: string;
  /** Custom mode: the caller writes the track; otherwise `description` says what it should be. */
  custom?: boolean;
  /** Lyrics in custom mode; what the sound or the lyrics should be about for `sounds`, `lyrics` and `replace`. */
  prompt?: string;
  description?: string;
  title?: string;
  tags?: string;
  negativeTags?: string;
  autoLyrics?: boolean;
  styleWeight?: number;
  weirdness?: number;
  audioWeight?: number;
  vocalGender?: 'male' | 'female';
  instrumental?: boolean;
  /** The format of the wanted files. */
  audioFormat?: 'mp3' | 'm4a' | 'wav';
  /** Length wanted. */
  seconds?: number;
  continueAt?: number;
  start?: number;
  end?: number;
  fadeIn?: number;
  fadeOut?: number;
  /** 0.25 to 4; the pitch stays. */
  speed?: number;
  infillLyrics?: string;
  stemType?: string;
  lyricsModel?: string;
  soundType?: 'one-shot' | 'loop';
  /** 1 to 300. */
  bpm?: number;
  /** `C#`, `Am`. */
  key?: string;
}

/** The part of a result that its caller brought. */
export type CallersPart = 'all' | 'some' | 'none';

export interface MusicSource {
  taskId: string;
  /** The channel that made it, and that vendor's own ids of the track and of its job. */
  channelId: string;
  trackId?: string;
  jobId?: string;
  /** Our stored copy. */
  audioUrl: string;
  seconds: number;
  /** Absent: not known. */
  callersPart?: CallersPart;
  title?: string;
  lyrics?: string;
  tags?: string;
  /** Our stored copy of its cover. */
  imageUrl?: string;
}

/** An adapter's facts about a track, as `facts` of its output; the task's result gives them under names of its own. */
export interface TrackFacts {
  /** The vendor's id of it. */
  trackId?: string;
  title?: string;
  lyrics?: string;
  tags?: string;
  /** Its length as the vendor counts it: moments in it are judged by that. */
  seconds?: number;
  /** The vendor's cover of it, mirrored beside it. */
  imageUrl?: string;
}
