import { type Html, rawHtml } from '../html.ts';

/** Shapes on a grid of 24, drawn by a line of 2. Drawn for this interface. */
const shapes = {
  overview: '<path d="M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z"/>',
  medium: '<path d="M5 3h11l4 4v14H5z"/><path d="M9 3v5h6V3M8 21v-7h9v7"/>',
  recipes: '<path d="M6 3h12v18H6z"/><path d="M9 8h6M9 12h6M9 16h3"/>',
  content: '<path d="M12 3l8 4.5v9L12 21l-8-4.5v-9z"/><path d="M4 7.5l8 4.5 8-4.5M12 12v9"/>',
  tasks: '<path d="M4 6l1.5 1.5L8 5M4 12l1.5 1.5L8 11M4 18l1.5 1.5L8 17M11 6h9M11 12h9M11 18h9"/>',
  filesets: '<path d="M3 6h6l2 2h10v11H3z"/>',
  admin:
    '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>',
  help: '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.01"/>',
  filter: '<path d="M4 6h16M7 12h10M10 18h4"/>',
  search: '<circle cx="11" cy="11" r="6"/><path d="M20 20l-4.5-4.5"/>',
  theme: '<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4 21c1-4.5 4-6 8-6s7 1.500 8 6"/>',
  copy: '<path d="M9 9h11v11H9zM5 15H4V4h11v1"/>',
  ok: '<path d="M5 12.500l4.500 4.500L19 7.500"/>',
  bad: '<path d="M6 6l12 12M18 6L6 18"/>',
  warn: '<path d="M12 4l9.500 16h-19zM12 10v4M12 17v.01"/>',
  menu: '<path d="M4 6h16M4 12h16M4 18h16"/>',
  info: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8v.01"/>',
  next: '<path d="M9 5l7 7-7 7"/>',
  previous: '<path d="M15 5l-7 7 7 7"/>',
  columns: '<path d="M4 5h16v14H4zM10 5v14M15 5v14"/>',
  ascending: '<path d="M6 15l6-7 6 7z" fill="currentColor"/>',
  descending: '<path d="M6 9l6 7 6-7z" fill="currentColor"/>',
  down: '<path d="M6 9l6 6 6-6"/>',
  download: '<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>',
  running: '<path d="M8 5l11 7-11 7z"/>',
  stopped: '<circle cx="12" cy="12" r="9"/><path d="M6 18L18 6"/>',
  pending: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  lock: '<path d="M5 11h14v9H5z"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  key: '<circle cx="8" cy="14" r="4"/><path d="M11 11l8-8M16 6l3 3"/>',
  trash: '<path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13"/>',
  terminal: '<path d="M4 6l5 5-5 5M12 18h8"/>',
  home: '<path d="M4 11l8-7 8 7v9h-5v-6H9v6H4z"/>',
} as const;

export type IconName = keyof typeof shapes;

const made = new Map<IconName, Html>();

/** An icon beside a text that says the same; screen readers skip it. */
export function icon(name: IconName): Html {
  let shape = made.get(name);
  if (shape === undefined) {
    shape = rawHtml(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shapes[name]}</svg>`);
    made.set(name, shape);
  }
  return shape;
}
