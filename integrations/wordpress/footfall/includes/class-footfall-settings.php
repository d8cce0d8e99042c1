<?php
/** Where the service is, and the keys: Settings, Footfall. Secrets may be constants of wp-config.php instead. */

defined( 'ABSPATH' ) || exit;

final class Footfall_Settings {
	const OPTION = 'footfall';

	/** Name => [label, type, hint]. */
	private static function fields() {
		return array(
			'url'       => array( __( 'URL of the service', 'footfall' ), 'url', 'https://stats.example.com' ),
			'key'       => array( __( 'Key of the property', 'footfall' ), 'text', 'ff_…' ),
			'outbound'  => array( __( 'Count clicks on links to other sites', 'footfall' ), 'checkbox', '' ),
			'downloads' => array( __( 'Count downloads', 'footfall' ), 'checkbox', '' ),
			'vitals'    => array( __( 'Measure how fast pages are', 'footfall' ), 'checkbox', '' ),
			'token'     => array( __( 'Access token, for orders and leads', 'footfall' ), 'password', __( 'With the scopes signals:write and contacts:write. Or define FOOTFALL_TOKEN in wp-config.php.', 'footfall' ) ),
			'proxy_key' => array( __( 'Proxy key, for orders and leads', 'footfall' ), 'password', __( 'Settings, Keys of the property. Or define FOOTFALL_PROXY_KEY in wp-config.php.', 'footfall' ) ),
		);
	}

	public static function register() {
		add_action( 'admin_init', array( __CLASS__, 'add_fields' ) );
		add_action( 'admin_menu', array( __CLASS__, 'add_page' ) );
	}

	/** '' for what is not set. */
	public static function get( $name ) {
		$constant = 'FOOTFALL_' . strtoupper( $name );
		if ( defined( $constant ) ) {
			return (string) constant( $constant );
		}
		$options = get_option( self::OPTION, array() );
		return isset( $options[ $name ] ) ? (string) $options[ $name ] : '';
	}

	public static function url() {
		return untrailingslashit( self::get( 'url' ) );
	}

	public static function add_page() {
		add_options_page( 'Footfall', 'Footfall', 'manage_options', 'footfall', array( __CLASS__, 'show' ) );
	}

	public static function add_fields() {
		register_setting( 'footfall', self::OPTION, array( 'sanitize_callback' => array( __CLASS__, 'clean' ) ) );
		add_settings_section( 'footfall', '', '__return_null', 'footfall' );
		foreach ( self::fields() as $name => $field ) {
			$args = array( 'name' => $name, 'type' => $field[1], 'hint' => $field[2], 'label_for' => "footfall_$name" );
			add_settings_field( "footfall_$name", $field[0], array( __CLASS__, 'show_field' ), 'footfall', 'footfall', $args );
		}
	}

	/** A secret that is left empty stays as it is: it is never shown again. */
	public static function clean( $given ) {
		$given = is_array( $given ) ? $given : array();
		$known = get_option( self::OPTION, array() );
		$clean = array();
		foreach ( self::fields() as $name => $field ) {
			$value = isset( $given[ $name ] ) && is_string( $given[ $name ] ) ? trim( $given[ $name ] ) : '';
			if ( 'password' === $field[1] && '' === $value ) {
				$clean[ $name ] = isset( $known[ $name ] ) ? $known[ $name ] : '';
			} else {
				$clean[ $name ] = 'url' === $field[1] ? esc_url_raw( $value, array( 'http', 'https' ) ) : sanitize_text_field( $value );
			}
		}
		return $clean;
	}

	public static function show_field( $args ) {
		$id     = 'footfall_' . $args['name'];
		$name   = self::OPTION . '[' . $args['name'] . ']';
		$value  = self::get( $args['name'] );
		$secret = 'password' === $args['type'];
		if ( 'checkbox' === $args['type'] ) {
			printf( '<input type="checkbox" id="%s" name="%s" value="1" %s>', esc_attr( $id ), esc_attr( $name ), checked( $value, '1', false ) );
			return;
		}
		$shown       = $secret ? '' : $value;
		$placeholder = $secret && '' !== $value ? '••••••••' : ( $secret ? '' : $args['hint'] );
		printf(
			'<input type="%s" class="regular-text" id="%s" name="%s" value="%s" placeholder="%s" autocomplete="off">',
			esc_attr( $args['type'] ),
			esc_attr( $id ),
			esc_attr( $name ),
			esc_attr( $shown ),
			esc_attr( $placeholder )
		);
		if ( $secret ) {
			printf( '<p class="description">%s</p>', esc_html( $args['hint'] ) );
		}
	}

	public static function show() {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		echo '<div class="wrap"><h1>Footfall</h1><form action="options.php" method="post">';
		settings_fields( 'footfall' );
		do_settings_sections( 'footfall' );
		submit_button();
		echo '</form></div>';
	}
}
