const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The text of a page on one line, with one space between elements: `Version Digest 1.0.0 sha256:…`. */
export function toPageText(markup: string): string {
  return markup
    .replace(/<head>.*?<\/head>/s, ' ')
    .replace(/<\/?(?:bdi|code|mark|span)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!)
    .replace(/\s+/g, ' ');
}
