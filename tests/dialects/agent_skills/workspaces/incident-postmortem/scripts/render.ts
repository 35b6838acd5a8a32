// Renders the timeline as a chart.
export function render(rows: string[]): string {
  return rows.join("\n");
}
