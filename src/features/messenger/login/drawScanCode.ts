import { toString as draw } from 'qrcode';

/** The code as an SVG image in black on white, with the quiet zone that scanners need; without inline styles. */
export async function drawScanCode(link: string): Promise<string> {
  return draw(link, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
}
