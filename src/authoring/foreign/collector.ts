import { mostEntries } from '../../recipe/document-reader.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { withoutUrlSecrets } from '../../text/secrets/url-secrets.ts';
import type { Doubt, NamedChart, NamedImage, Omission, OmissionReason, SourceContents } from './model.ts';

interface Details {
  readonly tag?: string | undefined;
  readonly platform?: string | undefined;
  readonly doubt?: Doubt | undefined;
}

/**
 * Collects the images and charts of one source. An image that is named several times is kept once, with its first
 * place.
 */
export class Collector {
  readonly #file: string;
  readonly #images = new Map<string, NamedImage>();
  readonly #charts: NamedChart[] = [];
  readonly #omissions = new Map<string, Omission>();

  /** @param file name of the source in errors */
  constructor(file: string) {
    this.#file = file;
  }

  /** @throws SVC-VAL-001 for more images than a recipe has ingredients */
  image(image: string, where: string, details: Details = {}): void {
    const key = `${image} ${details.platform ?? ''}`;
    const known = this.#images.get(key);
    if (known) {
      // an image that is certain in one place is certain
      const doubt = known.doubt !== undefined && details.doubt !== undefined ? known.doubt : undefined;
      const first = known.doubt !== undefined && details.doubt === undefined ? where : known.where;
      this.#images.set(key, { ...known, where: first, others: known.others + 1, doubt });
      return;
    }
    this.#images.set(key, { image, where, others: 0, ...details });
    this.#requireFew(this.#images.size);
  }

  chart(chart: NamedChart): void {
    this.#charts.push(chart);
    this.#requireFew(this.#charts.length);
  }

  /** @param given as the source has it: the report contains no secret of a URL */
  leaveOut(given: string, where: string, reason: OmissionReason): void {
    const what = withoutUrlSecrets(given);
    const key = `${reason} ${where} ${what}`;
    if (this.#omissions.size < mostEntries) this.#omissions.set(key, { what, where, reason });
  }

  get contents(): SourceContents {
    return {
      images: [...this.#images.values()],
      charts: this.#charts,
      omissions: [...this.#omissions.values()],
    };
  }

  #requireFew(count: number): void {
    if (count > mostEntries)
      throw svcError('SVC-VAL-001', {
        file: this.#file,
        rule: rule(
          ['must have at most {mostEntries} entries', fr`doit avoir au plus {mostEntries} entrées`],
          { mostEntries },
        ),
      });
  }
}
