<?php
/** WooCommerce: an order is revenue of the visit in which it was placed, once it is paid. Told by the server, so blockers change nothing. */

defined( 'ABSPATH' ) || exit;

final class Footfall_Orders {
	const SESSION = '_footfall_session';
	const TOLD    = '_footfall_told';
	/** Currencies whose smallest unit is not a hundredth: ISO 4217. */
	const DIGITS = array(
		'BIF' => 0, 'CLP' => 0, 'DJF' => 0, 'GNF' => 0, 'ISK' => 0, 'JPY' => 0, 'KMF' => 0, 'KRW' => 0, 'PYG' => 0, 'RWF' => 0,
		'UGX' => 0, 'UYI' => 0, 'VND' => 0, 'VUV' => 0, 'XAF' => 0, 'XOF' => 0, 'XPF' => 0,
		'BHD' => 3, 'IQD' => 3, 'JOD' => 3, 'KWD' => 3, 'LYD' => 3, 'OMR' => 3, 'TND' => 3,
	);

	public static function register() {
		add_action( 'woocommerce_checkout_order_processed', array( __CLASS__, 'note_session' ), 10, 1 );
		add_action( 'woocommerce_store_api_checkout_order_processed', array( __CLASS__, 'note_session' ), 10, 1 );
		foreach ( array( 'processing', 'completed' ) as $status ) {
			add_action( "woocommerce_order_status_$status", array( __CLASS__, 'tell' ), 10, 1 );
		}
	}

	private static function order( $given ) {
		return is_object( $given ) ? $given : wc_get_order( $given );
	}

	/** While the buyer is there: a payment that arrives later comes from the payment provider. */
	public static function note_session( $given ) {
		$order   = self::order( $given );
		$session = $order ? Footfall_Service::session() : null;
		if ( null !== $session ) {
			$order->update_meta_data( self::SESSION, $session );
			$order->save();
		}
	}

	/** Both statuses are reached by most orders; the tag makes one of it, whatever is sent again. */
	public static function tell( $given ) {
		$order   = self::order( $given );
		$session = $order ? $order->get_meta( self::SESSION ) : '';
		if ( ! $session || $order->get_meta( self::TOLD ) ) {
			return;
		}
		$currency = $order->get_currency();
		$digits   = isset( self::DIGITS[ $currency ] ) ? self::DIGITS[ $currency ] : 2;
		$body     = array(
			'session_id'    => $session,
			'value'         => (int) round( (float) $order->get_total() * pow( 10, $digits ) ),
			'currency_code' => $currency,
			'tags'          => array( 'woocommerce:order:' . $order->get_id() ),
		);
		if ( Footfall_Service::call( '/v2/property/session/acquisition', $body ) ) {
			$order->update_meta_data( self::TOLD, '1' );
			$order->save();
		}
	}
}
