// Whether a click came through the QR code of its link. Nothing is known of earlier ones: 0.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '023_click_scans',
  tables: {},
  columns: { clicks: ['is_scan UInt8 DEFAULT 0'] },
  views: {},
}
