// Networks whose addresses are rented to servers: a browser there is under automation.
//
// Left out on purpose, because people browse through them: iCloud Private Relay, WARP and browser VPNs
// (Cloudflare, Fastly, Akamai), Google's own network (AS15169), corporate gateways (Zscaler, Netskope, Palo
// Alto, Forcepoint), the hosts of the large VPN makers (M247, Datacamp/CDN77, Leaseweb, PacketHub, Tzulo,
// QuadraNet, Clouvider, HostRoyale) and access providers that also host. Accepted: a person on a rented
// desktop, or on a VPN of their own in one of these clouds, is taken for a bot. The reason is stored with the
// hit as `network`, so an owner can see how many there are.

const networks: Readonly<Record<string, readonly number[]>> = {
  'Amazon Web Services': [16509, 14618, 8987],
  'Google Cloud': [396982],
  'Microsoft Azure': [8075],
  'Oracle Cloud': [31898, 20054],
  'IBM Cloud': [36351],
  'Alibaba Cloud': [45102, 37963, 134963],
  'Tencent Cloud': [132203, 45090, 133478],
  'Huawei Cloud': [136907, 55990],
  'Baidu Cloud': [38365, 55967],
  UCloud: [135377, 59077],
  'Yandex Cloud': [200350],
  Selectel: [49505, 50340],
  Timeweb: [9123],
  DigitalOcean: [14061],
  Hetzner: [24940, 213230, 212317],
  OVHcloud: [16276],
  Linode: [63949, 48337],
  Vultr: [20473],
  Scaleway: [12876],
  Contabo: [51167, 40021, 141995],
  IONOS: [8560, 54548],
  Hostinger: [47583],
  GoDaddy: [26496, 398101],
  DreamHost: [26347],
  Rackspace: [33070, 19994, 27357, 15395],
  'Liquid Web': [32244, 53824],
  UpCloud: [202053, 25697],
  Exoscale: [61098],
  netcup: [197540],
  Kamatera: [36007, 204548],
  Hostwinds: [54290],
  ColoCrossing: [36352],
  VolumeDrive: [46664],
  Multacom: [35916],
  BuyVM: [53667],
  'Psychz Networks': [40676],
  Interserver: [19318],
  'A2 Hosting': [55293],
  SingleHop: [32475],
  Hivelocity: [29802, 61317],
  'Fly.io': [40509],
  'Equinix Metal': [54825],
  Aeza: [210644],
  Zenlayer: [21859, 4229],
  'Sakura Internet': [9370, 9371, 7684],
  'NAVER Cloud': [23576],
  'E2E Networks': [132420],
}

const byNumber: ReadonlyMap<number, string> = new Map(
  Object.entries(networks).flatMap(([name, numbers]) => numbers.map((number) => [number, name] as const)),
)

/** The cloud's name when the AS number is one; undefined for networks of people, and for unknown ones. */
export function findServerNetwork(asn: number): string | undefined {
  return byNumber.get(asn)
}
